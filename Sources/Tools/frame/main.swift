import CommandLine

FrameTool.command.main()

import CommandLineTool

FrameTool.command.main()

import CommandLine

LwwmergeTool.command.main()

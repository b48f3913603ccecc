import CommandLine

DeltadiffTool.command.main()

import CommandLine

AssignTool.command.main()

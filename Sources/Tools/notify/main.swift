import CommandLine

NotifyTool.command.main()

import CommandLine

SyncsimTool.command.main()

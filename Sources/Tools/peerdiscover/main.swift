import CommandLine

PeerdiscoverTool.command.main()

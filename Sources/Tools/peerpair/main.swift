import CommandLine

PeerpairTool.command.main()

import CommandLine

PeersyncTool.command.main()

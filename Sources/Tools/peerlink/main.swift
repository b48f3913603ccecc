import CommandLine

PeerlinkTool.command.main()

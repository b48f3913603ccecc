import CommandLine

TablerowsTool.command.main()

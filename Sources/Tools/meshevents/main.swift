import CommandLine

MesheventsTool.command.main()

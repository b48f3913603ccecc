import CommandLineTool

MesheventsTool.command.main()

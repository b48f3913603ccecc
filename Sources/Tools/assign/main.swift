import CommandLineTool

AssignTool.command.main()

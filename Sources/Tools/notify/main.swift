import CommandLineTool

NotifyTool.command.main()

import CommandLineTool

LwwmergeTool.command.main()

import CommandLineTool

QrpayloadTool.command.main()

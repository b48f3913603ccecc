import CommandLine

QrpayloadTool.command.main()

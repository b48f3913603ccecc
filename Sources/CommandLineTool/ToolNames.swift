/// Every tool that there is, sorted; a man page points to all of them but its own.
package let toolNames = [
  "assign",
  "deltadiff",
  "frame",
  "lwwmerge",
  "notify",
  "peerlink",
  "peerpair",
  "qrpayload",
  "synclog",
  "syncsim",
]

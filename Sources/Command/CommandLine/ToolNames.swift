/// Every tool that there is, sorted; a man page points to all of them but its own.
package let toolNames = [
  "assign",
  "deltadiff",
  "frame",
  "lwwmerge",
  "meshevents",
  "notify",
  "peerdiscover",
  "peerlink",
  "peerpair",
  "peersync",
  "qrpayload",
  "synclog",
  "syncserve",
  "syncsim",
  "tablerows",
  "watchcontext",
]

# Shortens what `swift test` prints: a line for every hundred tests, each failure with its difference, what was skipped
# and why, and the counts. `log_file` is where everything is, of so many `runs`.

function counts() { return passed + 0 " passed, " failed + 0 " failed, " skipped + 0 " skipped" }

# A failure goes on until the next line that begins with a mark.
/^(✔|✘|◇|➜|━)/ { in_failure = 0 }
/^✘ Test .* recorded an issue/ { in_failure = 1 }
in_failure { print; next }

/^skipped: / { print; next }
/^(✔|✘|━) Test run with / { ended++; total += $5; next }
/^(✔|━) Test .* passed after / { passed++ }
/^✘ Test .* failed after / { failed++ }
/^➜ Test .* (skipped|cancelled)/ { skipped++ }
/^(✔|✘|━|➜) Test / {
  if ((passed + failed + skipped) % 100 == 0) {
    print counts()
    fflush()
  }
}
/Fatal error|unexpected signal|Exited with/ { print }

END {
  if (ended != runs) print "the run broke off: " log_file " has what it printed last"
  else if (passed + failed + skipped < total) print "of " total " tests some did not print how they ended"
  print counts()
}

/// Shell functions that disturb a store, and inspect the result.
enum StoreTrial {
  /// `record`, `apply` and `compact`, each with something to do in `base.db`; the state before and after each.
  ///
  /// A state is the store's own output: its lines, its checkpoint, its counts.
  static let setUp = (Repository.isSet("SOAK") ? "unit=1000\n" : "unit=100\n") + stores

  private static let stores = #"""
    records() {
      seq "$1" "$2" | awk -v day="$3" '{ printf "{\"id\":%d,\"title\":\"record %d\",\"updatedAt\":\"2025-05-0%dT00:00:00Z\"}\n", $1, $1, day }'
    }
    records 1 $((4 * unit)) 1 >all
    records 1 $((3 * unit)) 1 >old
    { records 1 $unit 1; records $((unit + 1)) $((2 * unit)) 2; records $((4 * unit + 1)) $((6 * unit)) 1; } >new
    { records 1 $((unit / 2)) 3; records $((7 * unit)) $((9 * unit)) 3; echo '{"newTokenData":"BBBB"}'; } >page
    words() {
      case $1 in
      record) echo record --store s.db --max-delete off --now 2025-06-02T00:00:00Z new ;;
      apply) echo apply --store s.db --from phone --now 2025-06-02T00:00:00Z page ;;
      compact) echo compact --store s.db --now 2025-06-02T00:00:00Z ;;
      esac
    }
    attempt() { $prefix synclog $(words "$1") >counts 2>errors; }
    state() {
      synclog dump --changes --store s.db
      synclog checkpoint get --store s.db phone outgoing
      synclog stat --store s.db
    }
    restore() {
      rm -f s.db s.db-*
      cp base.db s.db
    }
    # Says so where the store is neither as it was nor as it should be, or needs repair.
    judge() {
      kind=$1 case=$2 status=$3
      test "$(synclog verify --store s.db 2>&1)" = '{"faults":0,"ahead":0}' || echo "$kind, $case: verify complains"
      state >seen 2>&1
      if cmp -s seen "$kind.after"; then
        echo "$kind after" >>outcomes
      elif cmp -s seen before && test "$status" != 0; then
        echo "$kind before" >>outcomes
      else
        echo "$kind, $case: status $status, but the store is something else: $(head -n 1 errors)"
      fi
      prefix=
      attempt "$kind"
      state | cmp -s - "$kind.after" || echo "$kind, $case: another attempt does not do what the first left undone"
    }
    prefix=
    synclog record --store base.db --now 2025-06-01T00:00:00Z all >counts
    synclog record --store base.db --now 2025-06-01T00:00:00Z --max-delete off old >counts
    synclog checkpoint set --store base.db --now 2025-06-01T00:00:00Z phone outgoing AAAA
    synclog checkpoint set --store base.db --now 2025-06-01T00:00:00Z phone incoming \
      "$(synclog since --store base.db | tail -n 1 | cut -d '"' -f 4)"
    restore
    state >before
    for kind in record apply compact; do
      restore
      attempt "$kind" || cat errors
      state >"$kind.after"
      cmp -s before "$kind.after" && echo "$kind does nothing"
    done
    """#

  static let kinds = ["record", "apply", "compact"]
}

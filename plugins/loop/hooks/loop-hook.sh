# Hands what a harness tells a hook to `loop hook <event>`, which finds out from that who called. Both harnesses run this file.
#
# It never fails a session: where `loop` is missing, too old or broken, the harness goes on as if there were no hook. So the exit
# code is always 0, and what a hook has to say goes over standard output. Where an event can mean nothing to loop, no program is
# started: these few lines run before and after every tool.
# A relative folder in PATH is one of the repository, whose `loop` or `node` must not run.
kept=
IFS=:
set -f
for folder in $PATH; do
  case "$folder" in /*) kept="$kept:$folder" ;; esac
done
unset IFS
set +f
PATH=${kept#:}
[ -n "$PATH" ] || PATH=/usr/local/bin:/usr/bin:/bin
command -v loop >/dev/null 2>&1 || exit 0
case "$1" in
  pre-tool)
    # The ledger is a turn's; a conversation that a person began has none.
    [ -n "$LOOP_TURN_DIR$LOOP_TERMINAL" ] || exit 0
    loop hook pre-tool
    ;;
  post-tool)
    # Only the address of a comment or of a pull request is worth a second look.
    told=$(cat)
    case "$told" in
      *issuecomment-* | *discussion_r* | *pullrequestreview-* | */pull/* | */pulls/*) printf '%s' "$told" | loop hook post-tool ;;
    esac
    ;;
  stop-failure | session-end | permission)
    # Only a terminal of loop waits for these.
    [ -n "$LOOP_TERMINAL" ] || exit 0
    loop hook "$1"
    ;;
  *)
    loop hook "$1"
    ;;
esac
exit 0

#!/bin/sh
# A hook for coding agents: stops `git commit` while the commit brings code without credit. The agent gives the call of its tool as JSON
# on standard input. Exit code 2 refuses the call, and the agent reads standard error. For Claude Code, in .claude/settings.json:
#
#   {"hooks": {"PreToolUse": [{"matcher": "Bash", "hooks": [{"type": "command", "command": "path/to/before-commit.sh"}]}]}}
case "$(cat)" in
  *"git commit"*) ;;
  *) exit 0 ;;
esac
found=$(wherefrom check --staged --format agent --allow-missing-index 2>&1)
case $? in
  0) exit 0 ;;
  *) printf '%s\n' "$found" >&2; exit 2 ;;
esac

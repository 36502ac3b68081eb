#compdef joinery
autoload -U +X bashcompinit && bashcompinit
# Completion of joinery, made by: joinery completion
_joinery() {
  local current="${COMP_WORDS[COMP_CWORD]}" previous="${COMP_WORDS[COMP_CWORD-1]}" name="" word words="" last="" dir="."
  for word in "${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    case "$last" in -C|--directory) dir="$word"; last=""; continue ;; esac
    last="$word"
    case "$word" in -*) ;; *) [ -n "$name" ] || name="$word" ;; esac
  done
  case "$last" in -C|--directory) COMPREPLY=($(compgen -d -- "$current")); return ;; esac
  case "$name $previous" in
    'check --block') words="proven likely important" ;;
    'check --confirm') words="types build tests none" ;;
    'check --format') words="terminal json sarif github codequality markdown junit html" ;;
    'ci --mode') words="audit enforce" ;;
    'ci --block') words="proven likely important" ;;
    'contract --lang') words="ts py" ;;
    'plan --order') words="auto parallel serial" ;;
    'challenge --kind') words="auto plan spec" ;;
    'run --autonomy') words="interactive autopilot" ;;
    'hooks --agent') words="claude gemini" ;;
    'workflow --format') words="mermaid svg" ;;
    'mcp --agent') words="claude codex gemini opencode cursor" ;;
    'gates --format') words="terminal json junit" ;;
    'evidence --claim') words="build test lint typecheck" ;;
    'ground --format') words="terminal json sarif junit" ;;
    'audit --format') words="terminal json markdown sarif svg" ;;
    'risk --format') words="terminal json sarif" ;;
    'tests --format') words="terminal json sarif" ;;
    'secrets --format') words="terminal json sarif" ;;
  esac
  if [ -z "$words" ]; then
    case "$name" in
    '') words="check ci replay backtest contract explain rules spec plan verify guardian challenge defect roles run status runs report logs artifact why cost questions resume retry steer stop rework fork compare cancel rebuild prune ui hooks workflow mcp integrate receipt undo gates evidence ground audit review risk tests secrets guides triage memory init agents doctor cache completion version help --directory --json --quiet --verbose --no-color --no-sandbox --help --version" ;;
    help) words="check ci replay backtest contract explain rules spec plan verify guardian challenge defect roles run status runs report logs artifact why cost questions resume retry steer stop rework fork compare cancel rebuild prune ui hooks workflow mcp integrate receipt undo gates evidence ground audit review risk tests secrets guides triage memory init agents doctor cache completion version" ;;
    check) words="--base --newest --block --strict --accept --confirm --sandbox --format --against --risk --agent --agent-prompt --agent-report --spec --contract --agent-bytes --scenario --ui --watch --stats --directory --json --quiet --verbose --no-color --no-sandbox --help --version" ;;
    ci) words="github gitlab --mode --base --block --strict --no-comment --upload-sarif --sarif --code-quality --directory --json --quiet --verbose --no-color --no-sandbox --help --version" ;;
    replay) words="--report --directory --json --quiet --verbose --no-color --no-sandbox --help --version" ;;
    backtest) words="--last --directory --json --quiet --verbose --no-color --no-sandbox --help --version" ;;
    contract) words="check draft diff stubs --base --lang --out --in --directory --json --quiet --verbose --no-color --no-sandbox --help --version" ;;
    explain) words="--directory --json --quiet --verbose --no-color --no-sandbox --help --version" ;;
    rules) words="--directory --json --quiet --verbose --no-color --no-sandbox --help --version" ;;
    spec) words="new audit --directory --json --quiet --verbose --no-color --no-sandbox --help --version" ;;
    plan) words="--agent --scenario --base --out --order --vision --skip-audit --skip-guardian --force --yes --directory --json --quiet --verbose --no-color --no-sandbox --help --version" ;;
    verify) words="--spec --agent --scenario --base --no-fix --yes --directory --json --quiet --verbose --no-color --no-sandbox --help --version" ;;
    guardian) words="--vision --agent --scenario --base --directory --json --quiet --verbose --no-color --no-sandbox --help --version" ;;
    challenge) words="--kind --agent --scenario --base --directory --json --quiet --verbose --no-color --no-sandbox --help --version" ;;
    defect) words="--agent --scenario --base --yes --again --directory --json --quiet --verbose --no-color --no-sandbox --help --version" ;;
    roles) words="--base --directory --json --quiet --verbose --no-color --no-sandbox --help --version" ;;
    run) words="--plan --agent --scenario --base --parallel --budget --budget-tokens --autonomy --workflow --land --unproven --update-checkout --dry-run --yes --directory --json --quiet --verbose --no-color --no-sandbox --help --version" ;;
    status) words="--directory --json --quiet --verbose --no-color --no-sandbox --help --version" ;;
    runs) words="--directory --json --quiet --verbose --no-color --no-sandbox --help --version" ;;
    report) words="--trend --directory --json --quiet --verbose --no-color --no-sandbox --help --version" ;;
    logs) words="--follow --task --directory --json --quiet --verbose --no-color --no-sandbox --help --version" ;;
    artifact) words="list show --run --directory --json --quiet --verbose --no-color --no-sandbox --help --version" ;;
    why) words="--run --directory --json --quiet --verbose --no-color --no-sandbox --help --version" ;;
    cost) words="--directory --json --quiet --verbose --no-color --no-sandbox --help --version" ;;
    questions) words="list answer --run --all --directory --json --quiet --verbose --no-color --no-sandbox --help --version" ;;
    resume) words="--budget --budget-tokens --yes --directory --json --quiet --verbose --no-color --no-sandbox --help --version" ;;
    retry) words="--task --context --directory --json --quiet --verbose --no-color --no-sandbox --help --version" ;;
    steer) words="--run --directory --json --quiet --verbose --no-color --no-sandbox --help --version" ;;
    stop) words="--run --reason --directory --json --quiet --verbose --no-color --no-sandbox --help --version" ;;
    rework) words="--yes --directory --json --quiet --verbose --no-color --no-sandbox --help --version" ;;
    fork) words="--at --agent --model --context --scenario --land --yes --directory --json --quiet --verbose --no-color --no-sandbox --help --version" ;;
    compare) words="--directory --json --quiet --verbose --no-color --no-sandbox --help --version" ;;
    cancel) words="--yes --directory --json --quiet --verbose --no-color --no-sandbox --help --version" ;;
    rebuild) words="--directory --json --quiet --verbose --no-color --no-sandbox --help --version" ;;
    prune) words="--dry-run --force --yes --directory --json --quiet --verbose --no-color --no-sandbox --help --version" ;;
    ui) words="--demo --port --host --allow-remote --only-here --open --directory --json --quiet --verbose --no-color --no-sandbox --help --version" ;;
    hooks) words="install uninstall record --agent --global --dry-run --directory --json --quiet --verbose --no-color --no-sandbox --help --version" ;;
    workflow) words="--goal --context --notes --artifact --agent --scenario --node --reason --format --output --older-than --yes --directory --json --quiet --verbose --no-color --no-sandbox --help --version" ;;
    mcp) words="install uninstall --agent --dry-run --http --port --directory --json --quiet --verbose --no-color --no-sandbox --help --version" ;;
    integrate) words="--into --contract --land --partial --agent --scenario --decisions --accept --unproven --update-checkout --yes --directory --json --quiet --verbose --no-color --no-sandbox --help --version" ;;
    receipt) words="show verify --directory --json --quiet --verbose --no-color --no-sandbox --help --version" ;;
    undo) words="--update-checkout --yes --directory --json --quiet --verbose --no-color --no-sandbox --help --version" ;;
    gates) words="--task --fast --full --worktree --base --format --directory --json --quiet --verbose --no-color --no-sandbox --help --version" ;;
    evidence) words="run check --claim --notes --worktree --base --timeout --directory --json --quiet --verbose --no-color --no-sandbox --help --version" ;;
    ground) words="--base --files --plan --task --format --directory --json --quiet --verbose --no-color --no-sandbox --help --version" ;;
    audit) words="--format --base --agent --scenario --write --directory --json --quiet --verbose --no-color --no-sandbox --help --version" ;;
    review) words="--base --reviewers --agent --scenario --plan --task --timeout --checklist --mutants --audit --rebuttal --no-gates --no-tests --directory --json --quiet --verbose --no-color --no-sandbox --help --version" ;;
    risk) words="--base --format --directory --json --quiet --verbose --no-color --no-sandbox --help --version" ;;
    tests) words="gaps integrity --base --threshold --format --directory --json --quiet --verbose --no-color --no-sandbox --help --version" ;;
    secrets) words="--base --staged --format --directory --json --quiet --verbose --no-color --no-sandbox --help --version" ;;
    guides) words="--directory --json --quiet --verbose --no-color --no-sandbox --help --version" ;;
    triage) words="validate --directory --json --quiet --verbose --no-color --no-sandbox --help --version" ;;
    memory) words="search add forget --file --directory --json --quiet --verbose --no-color --no-sandbox --help --version" ;;
    init) words="--dry-run --force --directory --json --quiet --verbose --no-color --no-sandbox --help --version" ;;
    agents) words="list try --model --timeout --directory --json --quiet --verbose --no-color --no-sandbox --help --version" ;;
    doctor) words="--directory --json --quiet --verbose --no-color --no-sandbox --help --version" ;;
    cache) words="path size clear --directory --json --quiet --verbose --no-color --no-sandbox --help --version" ;;
    completion) words="bash zsh fish --directory --json --quiet --verbose --no-color --no-sandbox --help --version" ;;
    version) words="--directory --json --quiet --verbose --no-color --no-sandbox --help --version" ;;
    esac
    case "$name" in check|ci|backtest|contract|ground|review|risk|tests|secrets) case "$current" in -*) ;; *) words="$words $(cd "$dir" 2>/dev/null && git for-each-ref --format='%(refname:short)' refs/heads refs/remotes refs/tags 2>/dev/null)" ;; esac ;; esac
  fi
  COMPREPLY=($(compgen -W "$words" -- "$current"))
}
complete -o default -F _joinery joinery

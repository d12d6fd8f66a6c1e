#!/bin/sh
# Makes .venv ready: finds a Python, makes the virtual environment, installs requirements when they have changed.
# usage: scripts/make_venv.sh [dev]      What is missing or too old is said in one sentence.
set -eu
cd "$(dirname "$0")/.."
requirements=requirements.txt
[ "${1:-}" = dev ] && requirements=requirements-dev.txt

fail() {
    echo "$1" >&2
    exit 1
}

is_right_python() {
    "$1" -c 'import sys; sys.exit(not (3, 11) <= sys.version_info[:2] <= (3, 12))' 2>/dev/null
}

find_python() {
    for name in ${PYTHON:-python3.12 python3.11 python3}; do
        if command -v "$name" >/dev/null 2>&1 && is_right_python "$name"; then
            python=$name
            # A Python without venv may stand beside one that has it.
            "$name" -c 'import venv, ensurepip' 2>/dev/null && return
        fi
    done
    [ -n "${python:-}" ] && fail "$python has no venv module: install it with \`apt-get install python3-venv\` (or $(basename "$python")-venv) and type the command again."
    found=$(python3 -c 'import platform; print("python3 is " + platform.python_version())' 2>/dev/null || echo "no python3 is on PATH")
    fail "Python 3.11 or 3.12 is needed, but $found: install one with \`apt-get install python3.11 python3.11-venv\`, or name one with PYTHON=/path/to/python."
}

# What decides whether the installed packages are still the right ones.
fingerprint() {
    { cat requirements.txt requirements-dev.txt requirements-rendering.txt constraints.txt; .venv/bin/python -VV; pwd; } | cksum | tr -d ' '
}

if [ -d .venv ] && ! is_right_python .venv/bin/python; then
    echo "The Python of .venv is gone or not 3.11 or 3.12: making .venv anew."
    rm -rf .venv
fi
if [ ! -x .venv/bin/python ]; then
    find_python
    echo "Making the virtual environment .venv with $("$python" -V)."
    "$python" -m venv .venv || fail "$python could not make .venv: install venv with \`apt-get install python3-venv\` and type the command again."
fi
wanted=$(fingerprint)
stamp=.venv/.installed-${1:-run}
if [ "$(cat "$stamp" 2>/dev/null)" != "$wanted" ]; then
    echo "Installing the packages of $requirements (some minutes the first time; torch is large)."
    .venv/bin/python -m pip install --disable-pip-version-check --no-input -r "$requirements" ||
        fail "The packages of $requirements could not be installed: see pip's message above, then type the command again."
    echo "$wanted" >"$stamp"
    # What tests need holds all that a run needs.
    [ "$requirements" = requirements.txt ] || echo "$wanted" >.venv/.installed-run
fi

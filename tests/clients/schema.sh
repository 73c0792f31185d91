#!/usr/bin/env bash
# What the OpenAPI document promises, asked in many ways: nothing may break the server, and what it
# answers has the promised form. Called by tests/clients/run.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
export PYTHONPATH="$here"

token=$(python -c 'import people; print(people.Person("Schema", people.SCOPES).token)')

# Left out: streams, which do not end; what ends the asker's own account, sessions or token. Chance is
# fixed, so that a failure can be seen again.
timeout 1200 schemathesis run "$SPRONG_URL/api/openapi.json" \
  --header "Authorization: Bearer $token" \
  --checks not_a_server_error,response_schema_conformance,content_type_conformance \
  --exclude-path-regex '/stream|/feed|/board/seek|/account/close$|/logout|/bot/account/upgrade$' \
  --exclude-name 'DELETE /api/token' \
  --max-examples 15 --seed 20261121 --generation-database none \
  --phases examples,coverage,fuzzing --workers 2 --request-timeout 120 \
  --continue-on-failure --no-color --warnings off

# Without this the run could have gone blind half-way.
python - "$token" <<'END'
import sys, people
name = people.client(sys.argv[1]).account.get()["username"]
print(f"the token of {name} is still good")
END

D=$(mktemp -d /tmp/pf-XXXX); ID=cmp_01jw3f8x5zfq2v5n6k7m8p9r0s
mkdir -p $D/objects/companies/$ID; head -c 20480 /dev/zero | tr '\0' 'x' > $D/objects/companies/$ID/profile.json
cd $D; PORT=3641 DATA_DIR=$D EMBEDDINGS=off WORKER=off LOG_LEVEL=info RATE_LIMIT_STANDARD=1000000000 /tmp/assets/node_modules/.bin/node --disable-warning=ExperimentalWarning --cpu-prof --cpu-prof-dir=$D/prof /tmp/assets/src/main.ts > $D/log 2>&1 &
P=$!; sleep 9
/tmp/assets/node_modules/.bin/autocannon -c 32 -d 6 -H 'x-user-email: a@example.com' http://127.0.0.1:3641/assets/companies/$ID/profile.json 2>&1 | grep -E "requests in|Req/Sec"
kill -TERM $P; sleep 2; ls -la $D/prof $D/log; echo $D

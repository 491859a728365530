import { setTimeout as sleep } from 'node:timers/promises'
import { loadConfig } from '#src/platform/config/config.ts'
import { openDatabase } from '#src/platform/database/open.ts'
import { createKeyring } from '#src/platform/encryption/keyring.ts'
import { sealStored } from '#src/platform/encryption/sealed-columns.ts'
import { SEALED_COLUMNS } from '#src/sealed-columns.ts'

// A process that does what the background work of a service does, without its delay, until it is killed or done.
const config = loadConfig(process.env)
const keyring = createKeyring(config.encryption, config.authentication.sessionSecrets)
const { background, close } = await openDatabase(config)
console.log('sealing')
for (let isDone = false; !isDone; await sleep(10))
  isDone = (await sealStored(background, keyring, SEALED_COLUMNS)) === 0
console.log('done')
await close()

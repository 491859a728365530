import { parentPort } from 'node:worker_threads'
import type { FromThread, ToThread } from './builtin-embedder.ts'

const send = (message: FromThread) => parentPort?.postMessage(message)
const kept: string[][] = []
let served = 0

/** A thread without a model. Some texts make it fail. */
parentPort?.on('message', (text: ToThread) => {
  if (text === 'exit') process.exit(1)
  if (text === 'memory') for (;;) kept.push(new Array<string>(1_000_000).fill(text))
  if (text === 'fault') return send({ fault: 'The package is missing.' })
  if (text === 'bad') return send({ reason: 'Not this text.' })
  if (text === 'silence') return
  served += 1
  if (text === 'served') return send({ vector: [served, 1] })
  console.log('printed by the thread')
  setTimeout(() => send({ vector: [text.length, 1] }), text.startsWith('slow') ? 50 : 0)
})

import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { GENERAL_RUBRIC, type ScoringAnswer } from '#src/worker/scoring-prompt.ts'

export interface SlowModel {
  /** The value for `LLM_BASE_URL`. */
  url: string
  /** The calls in flight, and their maximum so far. */
  inFlight: number
  max: number
  close(): Promise<void>
}

/** Starts a mock of OpenAI's `POST /v1/chat/completions` that takes a while to score each company. */
export async function startSlowModel(milliseconds: number): Promise<SlowModel> {
  const server = createServer(async (request, response) => {
    request.resume()
    model.inFlight++
    model.max = Math.max(model.max, model.inFlight)
    await sleep(milliseconds)
    model.inFlight--
    response.writeHead(200, { 'content-type': 'application/json' }).end(ANSWER)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const model: SlowModel = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    inFlight: 0,
    max: 0,
    close: async () => {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
  return model
}

const scores: ScoringAnswer = {
  criteria: GENERAL_RUBRIC.map(({ name }) => ({
    name,
    score: 40,
    reason: 'It is a benchmark.',
    evidence: [],
  })),
}

const ANSWER = JSON.stringify({
  id: 'chatcmpl-1',
  object: 'chat.completion',
  created: 0,
  model: 'slow',
  choices: [
    { index: 0, message: { role: 'assistant', content: JSON.stringify(scores) }, finish_reason: 'stop' },
  ],
  usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
})

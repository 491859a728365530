import type { FastifyReply } from 'fastify'

/** Whether reading a body failed because its client disconnected. */
export const isClientGone = ({ code, message }: Error & { code?: string }): boolean =>
  code === 'ECONNRESET' && message === 'aborted'

/** Aborted when the client disconnects before the whole response has been sent. */
export function disconnectSignal({ raw }: FastifyReply): AbortSignal {
  const controller = new AbortController()
  raw.once('close', () => {
    if (!raw.writableFinished) controller.abort()
  })
  return controller.signal
}

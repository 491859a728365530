import type { FastifyPluginCallbackTypebox } from '@fastify/type-provider-typebox'
import type { FastifyReply } from 'fastify'
import type { Context } from '#src/context.ts'
import { orTrashed } from '#src/features/trash/index.ts'
import { cancelable } from '#src/platform/database/cancel.ts'
import type { Db } from '#src/platform/database/database.ts'
import type { FilterCaller } from '#src/platform/filter/query.ts'
import { disconnectSignal } from '#src/platform/http/disconnect.ts'
import { changesSection } from './changes.ts'
import { dealsSection, factsSection, scoreSection } from './facts.ts'
import { briefMarkdown } from './markdown.ts'
import { decisionsSection, notesSection, peopleSection, relationshipsSection } from './record.ts'
import * as schema from './schema.ts'
import { readScope, type Subject } from './scope.ts'
import { readFields } from './values.ts'

export const briefRoutes =
  ({ db, filterCaller }: Context): FastifyPluginCallbackTypebox =>
  (app, _options, done) => {
    const answer = async (
      subject: Subject,
      { params: { id }, query, user }: BriefRequest,
      reply: FastifyReply,
    ) => {
      const reading = cancelable(db, disconnectSignal(reply))
      const brief = await orTrashed(
        db,
        await readBrief(reading, filterCaller(user), subject, id),
        subject,
        id,
      )
      return query.format === 'markdown'
        ? reply.header('content-type', 'text/markdown; charset=utf-8').send(briefMarkdown(brief))
        : { data: brief }
    }

    app.route({
      ...schema.getCompanyBrief,
      handler: (request, reply) => answer('company', request, reply),
    })
    app.route({ ...schema.getPersonBrief, handler: (request, reply) => answer('person', request, reply) })
    app.route({ ...schema.getDealBrief, handler: (request, reply) => answer('deal', request, reply) })
    done()
  }

interface BriefRequest {
  params: { id: string }
  query: { format?: 'json' | 'markdown' }
  user: { email: string } | null
}

/** undefined: there is no such record, or it is in the trash. */
async function readBrief(
  db: Db,
  caller: FilterCaller,
  subject: Subject,
  id: string,
): Promise<schema.Brief | undefined> {
  const scope = await readScope(db, subject, id)
  if (!scope) return undefined
  const fields = await readFields(db)
  return {
    title: scope.title,
    generated_at: new Date().toISOString(),
    sections: [
      await factsSection(db, scope, fields),
      await changesSection(db, scope, fields),
      peopleSection(scope),
      await relationshipsSection(db, scope),
      await decisionsSection(db, scope),
      dealsSection(scope, fields),
      scoreSection(scope),
      await notesSection(db, caller, scope),
    ],
  }
}

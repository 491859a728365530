import type { FastifyPluginCallbackTypebox } from '@fastify/type-provider-typebox'
import type { Context } from '#src/context.ts'
import { parseSelection } from '#src/features/companies/index.ts'
import { requireIndexes } from '#src/features/search/index.ts'
import { readMatchedThesis } from '#src/features/theses/index.ts'
import { orTrashed } from '#src/features/trash/index.ts'
import { cancelable } from '#src/platform/database/cancel.ts'
import type { Db } from '#src/platform/database/database.ts'
import { disconnectSignal } from '#src/platform/http/disconnect.ts'
import { sendPage } from '#src/platform/http/replies.ts'
import { withOwner } from '#src/platform/identity/caller-filter.ts'
import { pageOf } from '#src/platform/schema/shapes.ts'
import { criteriaOf, type MatchedThesis, rankMatches } from './rank.ts'
import { readMatches } from './results.ts'
import * as schema from './schema.ts'
import { rankByScore, readScores } from './scores.ts'
import { lockCompany, markSeen, readMoment, readSeenAt, setVerdict } from './store.ts'

const WORDS = 'words'

export const matchRoutes =
  ({ db, filterCaller, indexes }: Context): FastifyPluginCallbackTypebox =>
  (app, _options, done) => {
    const findThesis = async (from: Db, id: string): Promise<MatchedThesis> =>
      orTrashed(from, await readMatchedThesis(from, id), 'thesis', id)

    app.route({
      ...schema.listThesisMatches,
      handler: async ({ params: { id }, query, user }, reply) => {
        const reading = cancelable(db, disconnectSignal(reply))
        const thesis = await findThesis(reading, id)
        const until = await readMoment(reading)
        const selected = await parseSelection(reading, filterCaller(user), withOwner(query, user))
        const ranking = await rankMatches(reading, await requireIndexes(indexes), thesis, selected)
        const ids = ranking.ranked.map((match) => match.id)
        const scores = query.sort === 'score' ? await readScores(reading, id, ids) : undefined
        const ranked = scores ? rankByScore(ranking.ranked, scores) : ranking.ranked
        const page = pageOf(query)
        const shown = ranked.slice(page.offset, page.offset + page.limit)
        const seenAt = await readSeenAt(reading, user, id)
        const records = await readMatches(reading, ranking, shown, { thesis_id: id, seenAt, scores })
        const model = ranking.query.compared?.model.key
        const more = { answering: model ?? WORDS, is_semantic: model !== undefined, until }
        return sendPage(reply, page, { records, total: ranked.length }, more)
      },
    })

    app.route({
      ...schema.getThesisCriteria,
      handler: async ({ params: { id } }) => {
        const thesis = await findThesis(db, id)
        return { data: { criteria: criteriaOf(thesis), is_derived: thesis.criteria === null } }
      },
    })

    app.route({
      ...schema.judgeMatch,
      handler: async ({ params: { id, company_id }, body: { verdict }, user }) => {
        await db.transaction().execute(async (transaction) => {
          await findThesis(transaction, id)
          await orTrashed(transaction, await lockCompany(transaction, company_id), 'company', company_id)
          await setVerdict(transaction, user, { thesis_id: id, company_id, verdict })
        })
        return { data: { thesis_id: id, company_id, verdict } }
      },
    })

    app.route({
      ...schema.markMatchesSeen,
      handler: async ({ params: { id }, query: { until }, user }) => {
        await findThesis(db, id)
        return { data: { seen_at: await markSeen(db, user, id, until) } }
      },
    })

    done()
  }

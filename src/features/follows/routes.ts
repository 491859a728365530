import type { FastifyPluginCallbackTypebox } from '@fastify/type-provider-typebox'
import type { Context } from '#src/context.ts'
import type { Viewer } from '#src/features/visibility/index.ts'
import type { User } from '#src/platform/identity/identity.ts'
import { requireUser } from '#src/platform/identity/require-user.ts'
import { companyFollow, dealFollow, type FollowedType, personFollow, thesisFollow } from './schema.ts'
import { readFollow, setFollow } from './store.ts'

export const followRoutes =
  ({ db }: Context): FastifyPluginCallbackTypebox =>
  (app, _options, done) => {
    const read =
      (type: FollowedType) =>
      async ({ params, user }: { params: { id: string }; user: Viewer }) => ({
        data: await readFollow(db, user?.email ?? null, type, params.id),
      })
    const set =
      (type: FollowedType, isFollowing: boolean) =>
      async ({ params, user }: { params: { id: string }; user: User | null }) => ({
        data: await setFollow(db, requireUser(user).email, type, params.id, isFollowing),
      })

    app.route({ ...companyFollow.get, handler: read('company') })
    app.route({ ...companyFollow.put, handler: set('company', true) })
    app.route({ ...companyFollow.remove, handler: set('company', false) })
    app.route({ ...dealFollow.get, handler: read('deal') })
    app.route({ ...dealFollow.put, handler: set('deal', true) })
    app.route({ ...dealFollow.remove, handler: set('deal', false) })
    app.route({ ...personFollow.get, handler: read('person') })
    app.route({ ...personFollow.put, handler: set('person', true) })
    app.route({ ...personFollow.remove, handler: set('person', false) })
    app.route({ ...thesisFollow.get, handler: read('thesis') })
    app.route({ ...thesisFollow.put, handler: set('thesis', true) })
    app.route({ ...thesisFollow.remove, handler: set('thesis', false) })
    done()
  }

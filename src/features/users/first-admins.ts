import type { Context } from '#src/context.ts'
import { promoteAdmins } from './user-access.ts'

/** Makes the users of ADMIN_EMAILS admins, and warns if there is no admin where roles are enforced. */
export async function promoteFirstAdmins({
  access,
  backgroundDb,
  config,
  log,
}: Pick<Context, 'access' | 'backgroundDb' | 'config' | 'log'>): Promise<void> {
  await promoteAdmins(backgroundDb, config.authentication.adminEmails)
  await access.applyChange()
  if (config.enforceRoles && access.hasAdmin() === false)
    log.warn('there is no admin, so no one can change roles or lock users out: set ADMIN_EMAILS')
}

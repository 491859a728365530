import { sql } from 'kysely'
import type { Db } from '#src/platform/database/database.ts'
import { DEFAULT_DIGEST_HOUR, DEFAULT_MAIL } from './schema.ts'
import type { NotificationSettings, NotificationSettingsPatch } from './settings-schema.ts'

/** How a user is notified, with the defaults. */
export async function readSettings(
  db: Db,
  email: string,
  mail_available: boolean,
): Promise<NotificationSettings> {
  const { rows } = await sql<Pick<NotificationSettings, 'digest_hour'> & { mail: object }>`
    select mail, digest_hour from notification_settings where user_email = ${email}`.execute(db)
  const { mail, digest_hour } = rows[0] ?? { mail: {}, digest_hour: DEFAULT_DIGEST_HOUR }
  return { mail: { ...DEFAULT_MAIL, ...mail }, digest_hour, mail_available }
}

/** Changes how a user is notified. Kinds that are not sent keep their values. */
export async function updateSettings(
  db: Db,
  email: string,
  { mail = {}, digest_hour }: NotificationSettingsPatch,
): Promise<void> {
  await sql`
    insert into notification_settings as stored (user_email, mail, digest_hour, unsubscribe_token)
    values (${email}, ${JSON.stringify(mail)}::jsonb, ${digest_hour ?? DEFAULT_DIGEST_HOUR}, null)
    on conflict (user_email) do update set mail = stored.mail || excluded.mail,
      digest_hour = coalesce(${digest_hour ?? null}::smallint, stored.digest_hour)`.execute(db)
}

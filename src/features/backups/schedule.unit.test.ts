import assert from 'node:assert/strict'
import { test } from 'node:test'
import { backupName, expiredBackups, lastDue } from './schedule.ts'

const DAY_MS = 86_400_000
const iso = (milliseconds: number) => new Date(milliseconds).toISOString()
const due = (moment: string, zone: string) => iso(lastDue(Date.parse(moment), 180, zone))

test('a daily backup is due at its time of the workspace, also around changes of the clocks', () => {
  assert.equal(due('2026-03-02T03:00:00Z', 'UTC'), '2026-03-02T03:00:00.000Z')
  assert.equal(due('2026-03-02T02:59:59Z', 'UTC'), '2026-03-01T03:00:00.000Z')
  assert.equal(due('2026-07-02T12:00:00Z', 'America/Los_Angeles'), '2026-07-02T10:00:00.000Z')
  assert.equal(due('2026-07-02T12:00:00Z', 'Asia/Kathmandu'), '2026-07-01T21:15:00.000Z')
  for (let hour = 0; hour < 24 * 365; hour++) {
    const moment = Date.parse('2026-01-01T00:00:00Z') + hour * 3_600_000
    for (const zone of ['Pacific/Auckland', 'America/Los_Angeles', 'Europe/Berlin']) {
      const last = lastDue(moment, 180, zone)
      assert.ok(last <= moment && moment - last < DAY_MS + 2 * 3_600_000, `${iso(moment)} ${zone}`)
    }
  }
})

test('the last backups of 7 days, 4 weeks, and 12 months stay, and files with other names', () => {
  const names: string[] = ['notes.txt', 'deal-pipeline-old.backup']
  let kept: string[] = []
  for (let day = 0; day < 800; day++) {
    kept.push(backupName(Date.parse('2024-01-01T03:00:00Z') + day * DAY_MS))
    const expired = new Set(expiredBackups([...kept, ...names]))
    kept = kept.filter((name) => !expired.has(name))
    assert.ok(!names.some((name) => expired.has(name)))
  }
  const last = Date.parse('2024-01-01T03:00:00Z') + 799 * DAY_MS
  for (let day = 0; day < 7; day++) assert.ok(kept.includes(backupName(last - day * DAY_MS)))
  assert.equal(new Set(kept.map((name) => name.slice(14, 21))).size, 12)
  assert.ok(kept.length <= 7 + 4 + 12, `${kept.length} stay`)
})

test('without a backup for months, the last ones stay', () => {
  const names = [0, 1, 2].map((day) => backupName(Date.parse('2024-01-01T03:00:00Z') + day * DAY_MS))
  assert.deepEqual(expiredBackups(names), [])
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { tagChanges, withTagChanges } from '#web/screens/companies/tag-changes.ts'

test('only added and removed tags are sent, and they apply to any list of tags', () => {
  assert.deepEqual(tagChanges(['a', 'b'], ['b', 'a']), {})
  const changes = tagChanges(['Hot', 'fund'], ['fund', 'new'])
  assert.deepEqual(changes, { add_tags: ['new'], remove_tags: ['Hot'] })
  assert.deepEqual(withTagChanges(['hot', 'theirs', 'New'], changes), ['theirs', 'New'])
  assert.deepEqual(withTagChanges(['Cold'], tagChanges(['Cold'], ['cold'])), ['cold'])
})

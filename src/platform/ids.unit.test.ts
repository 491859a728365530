import assert from 'node:assert/strict'
import { test } from 'node:test'
import { idPattern, idTime, newId } from './ids.ts'

test('an id has its prefix and fits its pattern', () => {
  assert.match(newId('cmp'), new RegExp(idPattern('cmp')))
  assert.doesNotMatch(newId('th'), new RegExp(idPattern('cmp')))
})

test('ids sort in creation order', () => {
  const ids = Array.from({ length: 5000 }, () => newId('act'))
  assert.deepEqual([...ids].sort(), ids)
})

test('an id contains its creation time', ({ mock }) => {
  // After all ids that other tests of this process have made, also those that set the clock.
  const now = Date.now() + 86_400_000
  mock.timers.enable({ apis: ['Date'], now })
  assert.equal(idTime(newId('df')).getTime(), now)
  // 01h455vb4pex5vsknk084sn02q is the UUIDv7 01890a5d-ac96-774b-bcce-b302099a8057 (TypeID specification, valid.yml).
  assert.equal(idTime('prefix_01h455vb4pex5vsknk084sn02q').getTime(), 0x01890a5dac96)
})

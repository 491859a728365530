import assert from 'node:assert/strict'
import { buffer } from 'node:stream/consumers'
import { test } from 'node:test'
import { read, utils } from '@e965/xlsx'
import { exportCsv } from './export.ts'

const rows = [
  { id: 'a', name: 'Müller', amount: -5, small: 1e-7, note: '-5', phone: '+49 30 1234' },
  { id: 'b', name: '', amount: null, small: 0.1 + 0.2, note: '=1+1', phone: null },
]
const columns = ['id', 'name', 'amount', 'small', 'note', 'phone'] as const

const exported = async (bom?: boolean): Promise<Buffer> => {
  const readAfter = async (id: string) => (id === '' ? rows : [])
  const source = { columns, readAfter, onEnd: () => {}, ...(bom !== undefined && { bom }) }
  return buffer(await exportCsv(source))
}

test('a byte order mark is written once, at the beginning, and only if it is asked for', async () => {
  const [plain, off, marked] = [await exported(), await exported(false), await exported(true)]
  assert.equal(plain.subarray(0, 3).toString(), 'id,')
  assert.deepEqual(off, plain)
  assert.equal(marked.subarray(0, 6).toString('hex'), 'efbbbf69642c')
  assert.equal(marked.toString().lastIndexOf('\ufeff'), 0)
})

test('numbers are numbers, and text that looks like a formula is escaped', async () => {
  assert.equal(
    (await exported()).toString(),
    [
      'id,name,amount,small,note,phone',
      "a,Müller,-5,1e-7,'-5,'+49 30 1234",
      "b,,,0.30000000000000004,'=1+1,",
      '',
    ].join('\r\n'),
  )
})

test('a spreadsheet reads letters and numbers as they are, and runs no formula', async () => {
  const { Sheets, SheetNames } = read(await exported(true))
  const sheet = Sheets[SheetNames[0] as string] ?? {}
  assert.deepEqual(utils.sheet_to_json(sheet, { header: 1, defval: null }), [
    [...columns],
    ['a', 'Müller', -5, 1e-7, "'-5", "'+49 30 1234"],
    ['b', null, null, 0.1 + 0.2, "'=1+1", null],
  ])
  assert.ok(Object.values(sheet).every((cell) => !cell?.f))
})

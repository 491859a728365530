import assert from 'node:assert/strict'
import { test } from 'node:test'
import iconv from 'iconv-lite'
import { InvalidInput } from '#src/platform/errors.ts'
import { open, rowsOf } from '../table.fixture.ts'
import { ENCODING_NAMES } from './encodings.ts'

const WESTERN = ['windows-1252', 'cp850', 'macintosh']
const CENTRAL = ['windows-1250', 'cp852']

/** Lists in one language, as CSV, and the encodings that it is written in. */
const LISTS: [language: string, text: string, encodings: string[]][] = [
  ['German', 'Name;Ort\nMüller Bäckerei;Köln\nGrünwald Söhne;Düsseldorf', WESTERN],
  ['French', 'Nom;Ville\nSociété du Blé à façon;Besançon\nForêt et Côte;Orléans', WESTERN],
  ['Spanish', 'Nombre;Ciudad\nCafé Ibáñez;Córdoba\nPeña Niño;A Coruña', WESTERN],
  ['Portuguese', 'Nome;Cidade\nPães Conceição;São Paulo\nIrmãos Simões;Maceió', WESTERN],
  ['Swedish', 'Namn;Stad\nÅkesson Maskin;Malmö\nGröna Kärr;Västerås', WESTERN],
  ['Danish', 'Navn;By\nÆbleø Mejeri;Århus\nSønderjysk Kød;Tønder', WESTERN],
  ['Italian', 'Nome;Città\nPerché Sì;Forlì\nCaffè Così;Cantù', WESTERN],
  ['Icelandic', 'Nafn;Borg\nÞórður ehf;Reykjavík\nSjávarútvegur;Ísafjörður', ['windows-1252']],
  ['Polish', 'Nazwa;Miasto\nŻółta Łódź;Gdańsk\nŚwiatło sp. z o.o.;Wrocław', CENTRAL],
  ['Czech', 'Název;Město\nPříští Květ;Plzeň\nŽlutý Kůň;Ústí nad Labem', CENTRAL],
  ['Hungarian', 'Név;Város\nTűzkő Kft;Győr\nÖrökzöld Erdő;Székesfehérvár', CENTRAL],
  ['Croatian', 'Naziv;Grad\nŽito Đurđevac;Čakovec\nVoće Međimurje;Požega', ['windows-1250']],
  ['Russian', 'Имя;Город\nСеверный Луч;Тверь\nЛесная Поляна;Омск', ['windows-1251', 'koi8-r', 'cp866']],
  ['Russian in capitals', 'name;city\nООО ВЕКТОР;МОСКВА\nЗАО ЗАРЯ;КАЗАНЬ', ['windows-1251', 'koi8-r']],
  ['Ukrainian', 'Назва;Місто\nЗелений Гай;Київ\nЇжак Логістика;Вінниця', ['windows-1251']],
  ['Bulgarian', 'Фирма;Град\nЗлатна Нива;Пловдив\nЩастие ООД;Бургас', ['windows-1251']],
  ['Greek', 'Όνομα;Πόλη\nΘάλασσα Ναυτιλιακή;Πειραιάς\nΉλιος Ενέργεια;Αθήνα', ['windows-1253']],
  ['Turkish', 'Ad;Şehir\nIşık Yazılım;İzmir\nYıldız Çelik;Eskişehir', ['windows-1254']],
  ['Latvian', 'Nosaukums;Pilsēta\nZaļā Enerģija;Rīga\nŠķērsiela;Liepāja', ['windows-1257']],
  ['Lithuanian', 'Pavadinimas;Miestas\nŠviesos Kelias;Šiauliai\nMūsų Įmonė;Panevėžys', ['windows-1257']],
  ['Hebrew', 'שם;עיר\nאור צפון;חיפה\nגלים טכנולוגיות;תל אביב', ['windows-1255']],
  ['Arabic', 'الاسم;المدينة\nشركة النور;القاهرة\nمصنع السلام;دبي', ['windows-1256']],
  ['Thai', 'ชื่อ,เมือง\nบริษัท แสงดาว จำกัด,กรุงเทพ\nข้าวหอม,เชียงใหม่', ['windows-874']],
  ['Chinese', '公司,城市\n北京星辰科技有限公司,北京\n青山数据,深圳', ['gb18030']],
  ['Traditional Chinese', '公司,城市\n臺灣星辰科技股份有限公司,臺北\n青山數據,高雄', ['big5']],
  ['Japanese', '会社名,都市\n株式会社ひかり,東京\n青空テクノロジー,大阪', ['shift_jis', 'euc-jp']],
  ['Korean', '회사,도시\n주식회사 한빛,서울\n푸른산 데이터,부산', ['euc-kr']],
]

for (const [language, text, encodings] of LISTS)
  for (const encoding of encodings)
    test(`a short list in ${language} is recognized as ${encoding}, with a warning`, async () => {
      const bytes = iconv.encode(text, encoding)
      const table = await open(bytes)
      // Encodings that differ in other characters are just as right.
      assert.equal(iconv.decode(bytes, table.encoding ?? ''), text)
      assert.equal(table.isEncodingCertain, false)
      assert.match(table.warnings.join(), /The encoding was recognized as [\w-]+\. Check the names/)
      const delimiter = text.includes(';') ? ';' : ','
      const names = text
        .split('\n')
        .slice(1)
        .map((line) => line.split(delimiter)[0])
      assert.deepEqual(
        (await rowsOf(table)).map(([, cells]) => cells[0]),
        names,
      )
    })

for (const encoding of ['utf-8', 'utf-16le', 'utf-16be', 'utf-32le', 'utf-32be'])
  for (const addBOM of [true, false])
    test(`${encoding} ${addBOM ? 'with' : 'without'} a mark is recognized`, async () => {
      for (const text of [
        'Name\tCity\r\nFjell\tBodø\r\n',
        '公司\t城市\n北京星辰科技有限公司\t北京\n青山\t深圳\n',
        'Имя\tГород\nСеверный Луч\tТверь\n',
      ]) {
        const table = await open(iconv.encode(text, encoding, { addBOM }))
        assert.equal(table.encoding, encoding)
        assert.equal(table.isEncodingCertain, true)
        assert.equal(table.header[0], text.slice(0, text.indexOf('\t')))
        assert.deepEqual(table.warnings, [])
      }
    })

test('the few characters that are not ASCII are found anywhere in a large file', async () => {
  const lines = Array.from({ length: 60_000 }, (_value, index) => `Firm ${index};City`)
  lines[31_234] = 'Северный Луч;Тверь'
  lines[58_001] = 'Лесная Поляна;Омск'
  const table = await open(iconv.encode(`Name;City\n${lines.join('\n')}`, 'windows-1251'))
  assert.equal(table.encoding, 'windows-1251')
})

test('characters whose second byte is a delimiter are decoded before cells are split', async () => {
  // In Shift_JIS and Big5, the second byte of these is | or a backslash.
  for (const [encoding, name] of [
    ['shift_jis', '弓ポ表'],
    ['big5', '育功許'],
  ] as const) {
    const table = await open(iconv.encode(`Name|City\n${name}|x\n`, encoding), { encoding, delimiter: '|' })
    assert.deepEqual(await rowsOf(table), [[2, [name, 'x']]])
  }
})

test('a character that ends in the next block is decoded', async () => {
  const text = `Name,City\n${'北京星辰科技,上海\n'.repeat(10_000)}`
  for (const encoding of ['utf-8', 'gb18030', 'utf-16le']) {
    const rows = await rowsOf(await open(iconv.encode(text, encoding)))
    assert.equal(rows.length, 10_000)
    assert.ok(rows.every(([, [name, city]]) => name === '北京星辰科技' && city === '上海'))
  }
})

test('cells in Windows-1252 in a file of UTF-8 are read, and counted', async () => {
  const latin1 = (text: string) => Buffer.from(text, 'latin1')
  const table = await open(
    Buffer.concat([
      Buffer.from('Name,City\nMüller,Łódź\nKühn,'),
      latin1('K\xf6ln \x80\n'),
      Buffer.from('Ærø,Å\n'),
    ]),
  )
  assert.equal(table.encoding, 'utf-8')
  assert.deepEqual(await rowsOf(table), [
    [2, ['Müller', 'Łódź']],
    [3, ['Kühn', 'Köln €']],
    [4, ['Ærø', 'Å']],
  ])
  assert.deepEqual(table.warnings, ['1 cell is not UTF-8 and was read as Windows-1252, such as "Köln €".'])
})

test('a cell that was cut inside a character keeps its other characters', async () => {
  const cut = Buffer.from('Ærø,Größe in Tübingen für').subarray(0, -2)
  const table = await open(Buffer.concat([Buffer.from('Name,City\nÅ,Ö\n'), cut]))
  assert.deepEqual((await rowsOf(table))[1], [3, ['Ærø', 'Größe in Tübingen fÃ']])
})

test('the person chooses an encoding by any of its names', async () => {
  for (const encoding of ['windows-1251', 'CP1251', 'win1251', 'Windows 1251']) {
    const table = await open(iconv.encode('Имя,Город\nКот,Омск\n', 'windows-1251'), { encoding })
    assert.deepEqual([table.encoding, table.isEncodingCertain, table.warnings], ['windows-1251', true, []])
    assert.deepEqual(await rowsOf(table), [[2, ['Кот', 'Омск']]])
  }
  for (const [alias, name] of Object.entries({
    gbk: 'gb18030',
    sjis: 'shift_jis',
    latin1: 'windows-1252',
    cp949: 'euc-kr',
  }))
    assert.equal((await open('a,b\n', { encoding: alias })).encoding, name)
})

test('a chosen encoding that cannot be right is warned about', async () => {
  const table = await open(iconv.encode('Name,City\nMüller,Köln\n', 'windows-1252'), {
    encoding: 'euc-jp',
  })
  assert.match(table.warnings.join(), /cannot be read as euc-jp/)
})

test('an unknown encoding is refused with the known ones', async () => {
  await assert.rejects(open('a,b\n', { encoding: 'klingon' }), (error: Error) => {
    assert.ok(error instanceof InvalidInput)
    return ENCODING_NAMES.every((name) => error.message.includes(name))
  })
})

test('control characters are warned about, and bytes that are no text are refused', async () => {
  const damaged = await open(`Name,City\nFjell\x01\x02\x03\x04\x05,Bodø\n${'Bre,Oslo\n'.repeat(100)}`)
  assert.match(damaged.warnings.join(), /5 control characters/)
  const bytes = Buffer.from(
    Array.from({ length: 5000 }, (_value, index) => (index * index * 7 + index) % 256),
  )
  await assert.rejects(open(bytes), /not a text file/)
})

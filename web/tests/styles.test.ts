import assert from 'node:assert/strict'
import { globSync, readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { test } from 'node:test'
import { buildWebApp } from './demo.ts'

const web = path.join(import.meta.dirname, '..')
const styles = path.join(web, '../node_modules/@mantine/core/styles')
/** Mantine's classes. */
const CLASS = /m_[0-9a-f]{7,8}/g

const read = (file: string): string => readFileSync(file, 'utf8')
const classesIn = (text: string): Set<string> => new Set(text.match(CLASS))

/** The files of styles with classes that the built scripts use. */
function neededFiles(): string[] {
  const scripts = globSync('dist/assets/*.js', { cwd: web }).map((file) => read(path.join(web, file)))
  const used = classesIn(scripts.join('\n'))
  return readdirSync(styles)
    .filter((file) => !file.endsWith('.layer.css'))
    .filter((file) => !classesIn(read(path.join(styles, file))).isDisjointFrom(used))
}

test('the styles of all used components are loaded, in the order of the library', () => {
  buildWebApp()
  const imported = [...read(path.join(web, 'src/mantine.css')).matchAll(/styles\/([\w-]+\.css)"/g)].map(
    ([, file = '']) => file,
  )
  assert.deepEqual(
    neededFiles().filter((file) => !imported.includes(file)),
    [],
  )
  const all = read(path.join(styles, '../styles.css'))
  const positions = imported.map((file) => all.indexOf(read(path.join(styles, file)).trim()))
  assert.ok(positions.every((position, index) => position > (positions[index - 1] ?? -1)))
})

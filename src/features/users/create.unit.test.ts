import assert from 'node:assert/strict'
import { test } from 'node:test'
import { deriveName } from './create.ts'

const NAMES: Record<string, string> = {
  'ada.beck@example.com': 'Ada Beck',
  'ADA.BECK@EXAMPLE.COM': 'Ada Beck',
  'ada_beck@example.com': 'Ada Beck',
  'ada-beck@example.com': 'Ada Beck',
  'ada@example.com': 'Ada',
  'a.beck@example.com': 'A Beck',
  'ada.m.beck@example.com': 'Ada M Beck',
  'ada.beck+deals@example.com': 'Ada Beck',
  'ada+beck+x@example.com': 'Ada',
  'ada.beck2@example.com': 'Ada Beck',
  'ada.beck.1987@example.com': 'Ada Beck',
  '007.james.bond@example.com': 'James Bond',
  'jean-luc.picard@example.com': 'Jean-Luc Picard',
  'ada.beck-smith@example.com': 'Ada Beck-Smith',
  '_ada-beck_@example.com': 'Ada Beck',
  'ada--beck@example.com': 'Ada Beck',
  '-ada.-beck-@example.com': 'Ada Beck',
  "conan.o'brien@example.com": "Conan O'Brien",
  "'ada'@example.com": 'Ada',
  '..ada..beck..@example.com': 'Ada Beck',
  'ada!beck%x@example.com': 'Ada Beck X',
  'jürgen.müßig@example.com': 'Jürgen Müßig',
  'zoe\u0308.ada@example.com': 'Zoë Ada',
  'анна.ковалёва@example.com': 'Анна Ковалёва',
  '山田@example.com': '山田',
  'r2d2.beck@example.com': 'Beck',
  '12345@example.com': '12345',
  '00u1a2b3c4@example.com': '00u1a2b3c4',
  '+deals@example.com': '+deals',
  '_-.-_@example.com': '_-.-_',
  "''@example.com": "''",
}

test('names are derived from email addresses', () => {
  for (const [email, name] of Object.entries(NAMES)) assert.equal(deriveName(email).normalize(), name, email)
})

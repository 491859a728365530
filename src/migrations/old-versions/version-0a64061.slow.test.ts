import { testUpgradesOf } from './upgrade-test.fixture.ts'

testUpgradesOf('0a64061')

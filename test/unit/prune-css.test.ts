import { expect, test } from 'bun:test'
import { pruneCss } from '../../scripts/prune-css.ts'

const scripts = 'const classes={root:"m_11111111"}'

const cases = [
  {
    name: 'keeps the rules of what is used',
    css: '.m_11111111{color:red}.m_22222222{color:blue}',
    kept: '.m_11111111{color:red}',
  },
  { name: 'keeps a rule with one class that is used', css: '.m_22222222,.m_11111111>a{top:0}' },
  {
    name: 'leaves out what needs a class that is not used, and what old browsers need',
    css: '.m_11111111 .m_22222222,a:is(b,c) .m_22222222{top:0}.m_11111111:-webkit-any(a,b){top:0}',
    kept: '',
  },
  { name: 'keeps what is no class of Mantine', css: ':root{--a:1}.shell{top:0}@keyframes m_spin{to{top:0}}' },
  { name: 'keeps statements', css: '@charset "utf-8";a{top:0}' },
  {
    name: 'looks into groups',
    css: '@media print{.m_22222222{top:0}.m_11111111{top:0}}',
    kept: '@media print{.m_11111111{top:0}}',
  },
  { name: 'leaves out groups without rules', css: '@media print{.m_22222222{top:0}}', kept: '' },
  { name: 'keeps rules within rules', css: '.m_11111111{top:0;&:hover{top:1px}}a{top:0}' },
  {
    name: 'takes braces in quotes for text',
    css: '.a{content:"}"}.m_22222222{content:\'{\'}.b{top:0}',
    kept: '.a{content:"}"}.b{top:0}',
  },
]

for (const { name, css, kept = css } of cases) {
  test(name, () => {
    expect(pruneCss(css, scripts)).toBe(kept)
  })
}

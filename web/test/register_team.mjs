// register_team.mjs - somebody who registers a team for a contest and hands in its agent, in a browser, as people do:
// for tests/e2e/contest-site.sh.
//
//     node register_team.mjs ORIGIN CONTEST LOGIN PASSWORD MAIL TEAM ZIP SCRIPT
//
// Ends with status 77 where there is no browser.
import { existsSync } from 'node:fs';

const [origin, contest, login, password, mail, team, zip, script] = process.argv.slice(2);
const executablePath = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'].find(existsSync);
const playwright = await import('playwright-core').catch(() => null);
if (!executablePath || !playwright) {
  console.log(executablePath ? 'no packages of web/' : 'no chromium');
  process.exit(77);
}
// Containers have no place for the browser's own sandbox.
const browser = await playwright.chromium.launch({ executablePath, args: process.getuid() === 0 ? ['--no-sandbox'] : [] });
const patient = { timeout: 300_000 }; // a check plays games, on a machine that may be busy
try {
  const page = await browser.newPage({ locale: 'en' });
  page.setDefaultTimeout(120_000);
  await page.goto(`${origin}/${contest}`);
  await page.getByRole('link', { name: 'Register', exact: true }).click();
  await page.getByLabel('Login', { exact: true }).fill(login);
  await page.getByLabel('Password').fill(password);
  await page.getByLabel('Your name').fill(`${login} of the browser`);
  await page.getByLabel('Mail').fill(mail);
  await page.getByLabel('Team name').fill(team);
  await page.getByRole('button', { name: 'Register the team' }).click();
  await page.waitForURL(`**/${contest}/team/${team}`);
  await page.getByLabel('Language').selectOption('python');
  await page.getByLabel('Script or program').fill(script);
  await page.locator('input[type=file]').first().setInputFiles(zip);
  await page.getByRole('button', { name: 'Upload' }).click();
  await page.getByText('Received.').waitFor();
  const version = page.locator('.version').filter({ hasText: 'version 1' });
  await version.getByText('plays', { exact: true }).waitFor(patient);
} finally {
  await browser.close();
}

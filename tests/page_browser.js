/* page_browser.js FOLDER: looks at the pages of a folder in headless Chromium.
 *
 * Prints a line for each thing that is wrong. SCREENSHOT=FILE also takes the picture of the docs.
 */
'use strict';
const fs = require('fs');
const os = require('os');
const path = require('path');
const { chromium } = require('playwright-core');

const FLAGS = ['--headless', '--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run',
               '--disable-background-networking', '--disable-component-update', '--disable-sync'];
const folder = path.resolve(process.argv[2]);
const wrong = [];
const check = (condition, page, why) => { if (!condition) wrong.push(`${page}: ${why}`); };

/* In the page: texts whose contrast with what is behind them is too low. Colors with an opacity
 * are laid over each other. */
function poorContrast() {
    const parse = (text) => {
        const parts = (text.match(/[\d.]+/g) || [0, 0, 0, 0]).map(Number);
        return parts.length < 4 ? [...parts.slice(0, 3), 1] : parts;
    };
    const over = (top, below) =>
        [0, 1, 2].map((i) => top[i] * top[3] + below[i] * (1 - top[3])).concat(1);
    const light = (color) => {
        const [r, g, b] = color.slice(0, 3).map((c) => {
            c /= 255;
            return c <= 0.03928 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4;
        });
        return 0.2126 * r + 0.7152 * g + 0.0722 * b;
    };
    const behind = (element) => {
        const layers = [];
        for (let at = element; at; at = at.parentElement) {
            layers.push(parse(getComputedStyle(at).backgroundColor));
            const cell = at.tagName === 'g' ? at.querySelector('rect.cell') : null;
            if (cell) {
                const style = getComputedStyle(cell), color = parse(style.fill);
                layers.push([...color.slice(0, 3), Number(style.fillOpacity)]);
            }
        }
        return layers.reverse().reduce((below, top) => over(top, below), [255, 255, 255, 1]);
    };
    const found = new Map();
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    while (walker.nextNode()) {
        const element = walker.currentNode.parentElement;
        const box = element.getBoundingClientRect();
        if (!walker.currentNode.data.trim() || box.width === 0 || box.left < 0 ||
            ['SCRIPT', 'STYLE', 'title'].includes(element.tagName))
            continue;
        const style = getComputedStyle(element), back = behind(element);
        const front = over(parse(element instanceof SVGElement ? style.fill : style.color), back);
        const [a, b] = [light(front), light(back)].sort((x, y) => y - x);
        const ratio = (a + 0.05) / (b + 0.05);
        if (ratio < 4.5)
            found.set(`${element.tagName}.${element.className.baseVal ?? element.className}`,
                      ratio.toFixed(2));
    }
    return [...found].map(([what, ratio]) => `${what} ${ratio}`);
}

/* In the page: landmarks and headings that are not as they should be. */
function poorStructure() {
    const bad = [];
    for (const [tag, count] of [['main', 1], ['nav', 1], ['body > header', 1], ['body > footer', 1],
                                ['h1', 1]])
        if (document.querySelectorAll(tag).length !== count)
            bad.push(`${document.querySelectorAll(tag).length} ${tag}`);
    let level = 0;
    for (const heading of document.querySelectorAll('h1, h2, h3, h4')) {
        const now = Number(heading.tagName[1]);
        if (now > level + 1)
            bad.push(`a heading ${heading.tagName} below H${level}`);
        level = now;
    }
    if (!document.documentElement.lang || !document.title)
        bad.push('no language or no title');
    return bad;
}

async function openPage(browser, file, options) {
    const context = await browser.newContext(options);
    const page = await context.newPage();
    const name = `${path.basename(file)} at ${options.viewport.width}, ${options.colorScheme}`;
    page.on('console', (message) => check(false, name, `console: ${message.text()}`));
    page.on('pageerror', (error) => check(false, name, `error: ${error.message}`));
    page.on('dialog', (dialog) => { check(false, name, 'a dialog'); dialog.dismiss(); });
    page.on('request', (request) => check(request.url() === `file://${file}`, name,
                                          `a request to ${request.url()}`));
    /* Of the main thread's own time: other programs may have the processors. */
    const session = await context.newCDPSession(page);
    await session.send('Performance.enable', { timeDomain: 'threadTicks' });
    await page.goto(`file://${file}`);
    await page.evaluate(() => new Promise((done) =>
        requestAnimationFrame(() => requestAnimationFrame(done))));
    const { metrics } = await session.send('Performance.getMetrics');
    const milliseconds = 1000 * metrics.find((m) => m.name === 'TaskDuration').value;
    return { page, context, name, milliseconds };
}

async function look(browser, file, width, colorScheme) {
    const { page, context, name, milliseconds } =
        await openPage(browser, file, { viewport: { width, height: 900 }, colorScheme });
    check(milliseconds < 1000, name, `drawn after ${milliseconds.toFixed(0)} ms`);
    const wide = await page.evaluate(() => document.documentElement.scrollWidth);
    check(wide <= width, name, `${wide} pixels wide`);
    for (const bad of await page.evaluate(poorStructure))
        check(false, name, bad);
    for (const bad of await page.evaluate(poorContrast))
        check(false, name, `contrast: ${bad}`);
    await context.close();
    return milliseconds;
}

/* With the keyboard alone: everything that can be used is reached, in the order of the page; the
 * first key leads past the navigation; Enter copies. */
async function useKeyboard(browser, file) {
    const { page, context, name } =
        await openPage(browser, file, { viewport: { width: 1280, height: 900 },
                                        colorScheme: 'light' });
    const usable = await page.evaluate(() => {
        const all = [...document.querySelectorAll('a, button, summary, [tabindex="0"]')]
            .filter((e) => e.checkVisibility());
        all.forEach((e, i) => { e.dataset.number = i; });
        return all.length;
    });
    let next = 0;
    for (let i = 0; i < usable; i++) {
        await page.keyboard.press('Tab');
        const number = await page.evaluate(() => Number(document.activeElement.dataset.number));
        if (number !== next++) {
            check(false, name, `Tab ${i + 1} of ${usable} leads to ${number}`);
            break;
        }
    }
    await page.evaluate(() => document.activeElement.blur());
    const copied = await page.evaluate(() => {
        document.querySelector('.copy button').focus();
        return document.querySelector('.copy pre').textContent;
    });
    await page.keyboard.press('Enter');
    await page.waitForFunction(() => document.querySelector('.copy button').textContent === 'Copied',
                               null, { timeout: 2000 })
        .catch(() => check(false, name, 'the button does not copy'));
    const selected = await page.evaluate(() => getSelection().toString());
    check(selected === copied, name, `copied ${selected} and not ${copied}`);
    await page.evaluate(() => document.querySelector('summary').focus());
    await page.keyboard.press('Enter');
    check(await page.evaluate(() => document.querySelector('details').open), name,
          'Enter opens no numbers');
    await context.close();
}

/* Under the pointer a chart shows values; on paper there are no buttons, and all numbers. */
async function pointAndPrint(browser, file) {
    const { page, context, name } =
        await openPage(browser, file, { viewport: { width: 1280, height: 900 },
                                        colorScheme: 'light' });
    for (const mark of ['.bar rect', '.plot .hit', '.heat .cell', '.graph .arrow']) {
        const found = page.locator(mark).nth(1);
        if (await page.locator(mark).count() < 2)
            continue;
        await found.scrollIntoViewIfNeeded();
        await found.dispatchEvent('pointerover');
        const text = await page.evaluate(() => document.querySelector('.pop').textContent);
        check(/\d/.test(text), name, `${mark} shows "${text}"`);
    }
    await page.emulateMedia({ media: 'print' });
    await page.evaluate(() => dispatchEvent(new Event('beforeprint')));
    const shown = await page.evaluate(() => [...document.querySelectorAll('button, nav, summary')]
        .filter((e) => e.checkVisibility()).length);
    const closed = await page.evaluate(() => document.querySelectorAll('details:not([open])').length);
    check(shown === 0 && closed === 0, name, `printed: ${shown} controls, ${closed} closed`);
    await context.close();
}

async function takePicture(browser, file, to) {
    const { page, context } =
        await openPage(browser, file, { viewport: { width: 1100, height: 1000 },
                                        colorScheme: 'light' });
    await page.screenshot({ path: to });
    await page.locator('#p1').evaluate((e) => e.scrollIntoView({ behavior: 'instant' }));
    await page.waitForTimeout(100);
    await page.screenshot({ path: to.replace('.png', '-property.png') });
    await context.close();
}

(async () => {
    const profile = fs.mkdtempSync(path.join(os.tmpdir(), 'warren-browser-'));
    const launched = await chromium.launchPersistentContext(profile, {
        executablePath: process.env.CHROMIUM, args: FLAGS });
    const browser = launched.browser() ?? await chromium.launch({
        executablePath: process.env.CHROMIUM, args: FLAGS });
    let slowest = 0;
    try {
        for (const name of fs.readdirSync(folder).filter((n) => n.endsWith('.html')).sort()) {
            const file = path.join(folder, name);
            for (const width of [1280, 390])
                for (const scheme of ['light', 'dark'])
                    slowest = Math.max(slowest, await look(browser, file, width, scheme));
        }
        const run = path.join(folder, 'run.html');
        await useKeyboard(browser, run);
        await pointAndPrint(browser, run);
        if (process.env.SCREENSHOT)
            await takePicture(browser, run, process.env.SCREENSHOT);
    } finally {
        await launched.close();
        await browser.close().catch(() => {});
        fs.rmSync(profile, { recursive: true, force: true });
    }
    console.log(wrong.join('\n'));
    console.log(`slowest page: ${slowest.toFixed(0)} ms`);
    process.exit(wrong.length > 0 ? 1 : 0);
})().catch((error) => { console.log(String(error)); process.exit(1); });

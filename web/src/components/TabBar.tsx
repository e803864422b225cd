import { Tabs } from "@mantine/core";
import { useMediaQuery } from "@mantine/hooks";
import classes from "./TabBar.module.css";

/** The tabs of a page. On a phone they are one line, scrolled to the active tab. */
export function TabBar({ tabs, active }: { tabs: readonly { value: string; label: string }[]; active: string | null }) {
  const narrow = useMediaQuery("(max-width: 48em)", undefined, { getInitialValueInEffect: false });
  return (
    <Tabs.List className={classes.bar}>
      {tabs.map((tab) => (
        <Tabs.Tab key={tab.value} value={tab.value} ref={narrow && tab.value === active ? scrollToTab : null}>
          {tab.label}
        </Tabs.Tab>
      ))}
    </Tabs.List>
  );
}

function scrollToTab(tab: HTMLButtonElement | null) {
  if (tab?.parentElement) {
    const bar = tab.parentElement;
    bar.scrollTo({ left: tab.offsetLeft - (bar.clientWidth - tab.offsetWidth) / 2 });
  }
}

var (
	atlas     *Atlas
	atlasOnce sync.Once
)

func GetAtlas() *Atlas {
	atlasOnce.Do(func() {
		atlas = &Atlas{
			pages: make(map[string]*Page),
		}
	})
	return atlas
}

func (a *Atlas) Page(name string) (*Page, bool) {
	page, ok := a.pages[name]
	return page, ok
}

public class PluginCatalog {
    private static final Logger LOGGER = LoggerFactory.getLogger(PluginCatalog.class);
    private static volatile PluginCatalog instance;

    private PluginCatalog() {
    }

    public static PluginCatalog getInstance() {
        if (instance == null) {
            synchronized (PluginCatalog.class) {
                if (instance == null) {
                    instance = new PluginCatalog();
                }
            }
        }
        return instance;
    }
}

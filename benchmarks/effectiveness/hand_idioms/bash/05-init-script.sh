PIDFILE=/var/run/belfry.pid

case "$1" in
    start)
        echo "Starting belfry..."
        start_belfry
        ;;
    stop)
        echo "Stopping belfry..."
        stop_belfry
        ;;
    restart)
        stop_belfry
        sleep 1
        start_belfry
        ;;
    status)
        status_belfry
        ;;
    *)
        echo "Usage: $0 {start|stop|restart|status}"
        exit 1
        ;;
esac

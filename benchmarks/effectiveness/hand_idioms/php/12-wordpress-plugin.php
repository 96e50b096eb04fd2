<?php

if (!defined('ABSPATH')) {
    exit;
}

function tearoom_enqueue_scripts()
{
    wp_enqueue_style('tearoom-style', plugin_dir_url(__FILE__) . 'css/style.css', array(), '1.0.0');
    wp_enqueue_script('tearoom-script', plugin_dir_url(__FILE__) . 'js/script.js', array('jquery'), '1.0.0', true);
}
add_action('wp_enqueue_scripts', 'tearoom_enqueue_scripts');

function tearoom_register_menu()
{
    add_menu_page('Tearoom', 'Tearoom', 'manage_options', 'tearoom', 'tearoom_settings_page');
}
add_action('admin_menu', 'tearoom_register_menu');
